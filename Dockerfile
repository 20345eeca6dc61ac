# The product in a container: built in a stage with the tools, and run in one without them, by a user that is not root.
FROM node:24-bookworm-slim AS built
WORKDIR /app
COPY . .
# Installs what package-lock.json names, without install scripts, and builds the page and the server.
RUN npm run build
# The image has its own Node.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node-* node_modules/.bin/node node_modules/.cache

FROM node:24-bookworm-slim
# It listens on all addresses of the container, so it needs SMTP_URL to start, or UNVERIFIED_ADDRESSES=allow
# where only trusted people can reach the port; and TRUST_PROXY where PUBLIC_URL is https (docs/operations.md).
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data && chmod 700 /data
COPY --from=built /app/package.json ./
COPY --from=built /app/node_modules node_modules
COPY --from=built /app/dist dist
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
