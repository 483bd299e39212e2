# The embedded platform in a container, and edgectl itself:
#   docker build -t edgectl .                       # 2.4 MB more than node:24-slim
#   docker build -t edgectl --target workers .      # can also bundle and run workers: 215 MB more
#   docker run -p 127.0.0.1:8787-8791:8787-8791 edgectl
#   docker run -v "$PWD:/work" -w /work edgectl sandbox exec -- npm test
FROM node:24-slim AS build
WORKDIR /src
COPY . .
# The time of the commit, which the image does not contain: without it, the build has the present time.
ARG SOURCE_DATE_EPOCH
RUN npm ci && npm pack --pack-destination /tmp && mv /tmp/edgectl-*.tgz /tmp/edgectl.tgz
# What runs and bundles workers, in the versions that were tested.
RUN node -p "const { devDependencies: of } = require('./package.json'); ['miniflare', 'esbuild'].map((name) => name + '@' + of[name]).join(' ')" > /tmp/workers.txt

FROM node:24-slim AS sandbox
LABEL org.opencontainers.image.title="edgectl" org.opencontainers.image.licenses="MIT"
COPY --from=build /tmp/edgectl.tgz /tmp/edgectl.tgz
# Without --legacy-peer-deps, npm also asks its registry for the optional packages.
RUN npm install --global --no-audit --no-fund --cache /tmp/npm --legacy-peer-deps /tmp/edgectl.tgz && rm -rf /tmp/npm
USER node
RUN mkdir /home/node/data
VOLUME /home/node/data
EXPOSE 8787 8788 8789 8789/udp 8790 8791
HEALTHCHECK --start-period=10s --interval=5s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["edgectl"]
CMD ["sandbox", "start", "--dir", "/home/node/data", "--ready-file", "/home/node/data/ready.json", "--listen", "0.0.0.0", "--allow-host", "sandbox"]

FROM sandbox AS workers
USER root
COPY --from=build /tmp/workers.txt /tmp/workers.txt
RUN npm install --global --no-audit --no-fund --cache /tmp/npm $(cat /tmp/workers.txt) && rm -rf /tmp/npm
USER node

# Without --target, the last stage is built.
FROM sandbox
