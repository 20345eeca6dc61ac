# The product in a container: built where the tools are, run where they are not, by a user that is not root.
FROM node:24-bookworm-slim AS built
WORKDIR /app
COPY . .
# Installs what package-lock.json names, without install scripts, and builds the page and the server.
RUN npm run build
# The image has a Node of its own.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node-* node_modules/.bin/node node_modules/.cache

FROM node:24-bookworm-slim
# It listens to all that the container's network lets through, so a start asks for SMTP_URL, or for UNVERIFIED_ADDRESSES=allow
# where only people who are trusted can reach the port; and for TRUST_PROXY where PUBLIC_URL is https (docs/operations.md).
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
