# It is reached by others, so it starts with a key only, or with --open. The first key:
#   docker run --rm -v guncamera:/data IMAGE keys create --scope play
# Two stages: a wheel and what it needs, with hashes checked, then a slim image that runs as nobody
# in particular. `make deploy-check` does the same steps without an engine, and starts what they give.
FROM python:3.11-slim AS build
WORKDIR /src
COPY constraints.txt pyproject.toml README.md LICENSE ./
# The pip that is pinned, for older ones take no hashes from constraints.
RUN python -m venv /opt/build \
 && sed -n '/^pip==/,/[^\\]$/p' constraints.txt > /opt/build/pip.txt \
 && /opt/build/bin/pip install --no-cache-dir --require-hashes -r /opt/build/pip.txt \
 && /opt/build/bin/pip install --no-cache-dir --require-hashes -c constraints.txt hatchling
COPY service service
COPY clients clients
COPY tests/cases tests/cases
RUN /opt/build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /opt/wheels .
# What only development needs stays outside: the constraints name it, and nothing here asks for it.
RUN wheel="$(ls /opt/wheels/*.whl)" \
 && hash="$(sha256sum "$wheel" | cut -d ' ' -f 1)" \
 && echo "guncamera[server,otel] @ file://$wheel --hash=sha256:$hash" > /opt/wheels/wanted.txt \
 && python -m venv --without-pip /opt/guncamera \
 && /opt/build/bin/pip --python /opt/guncamera install --no-cache-dir --require-hashes \
      -c constraints.txt -r /opt/wheels/wanted.txt

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data guncamera \
 && mkdir /data && chown guncamera /data
COPY --from=build /opt/guncamera /opt/guncamera
ENV PATH=/opt/guncamera/bin:$PATH \
    GUNCAMERA_REST_ADDRESS=0.0.0.0:8080 \
    GUNCAMERA_GRPC_ADDRESS=0.0.0.0:50051 \
    GUNCAMERA_DATA_DIR=/data
# By number, so that it can be seen to be no root.
USER 10001
VOLUME /data
EXPOSE 8080 50051
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["python", "-m", "guncamera.host.probe"]
ENTRYPOINT ["guncamera"]
CMD ["serve"]
