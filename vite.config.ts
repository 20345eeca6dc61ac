import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** In production the server fills these in, once an answer; in development nothing stands between Vite and the page. */
const pageSettings = (): Plugin => ({
  name: 'page-settings',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replaceAll('%TEAM_DOMAIN%', 'example.com')
      .replaceAll('%PROGRAMME_NAME%', 'Venture Fellows')
      .replaceAll('%CSP_NONCE%', ''),
})

export default defineConfig({
  root: 'web',
  plugins: [react(), pageSettings()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The content security policy admits files of our own address only, so nothing is inlined as data:.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { port: 5173, proxy: { '/api': 'http://127.0.0.1:3000' } },
})
