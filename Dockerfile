# It is reached by others, so it starts with a key only, or with --open. The first key:
#   docker run --rm -v guncamera:/data IMAGE keys create --scope play
# Two stages: build wheels with hashes checked, then a slim image that runs as nobody in particular.
FROM python:3.11-slim AS build
WORKDIR /src
COPY constraints.txt pyproject.toml README.md LICENSE ./
RUN python -m venv /opt/guncamera \
 && /opt/guncamera/bin/pip install --no-cache-dir --require-hashes -r constraints.txt
COPY service service
COPY clients clients
COPY tests/cases tests/cases
COPY proto proto
RUN /opt/guncamera/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data guncamera \
 && mkdir /data && chown guncamera /data
COPY --from=build /opt/guncamera /opt/guncamera
ENV PATH=/opt/guncamera/bin:$PATH \
    GUNCAMERA_REST_ADDRESS=0.0.0.0:8080 \
    GUNCAMERA_GRPC_ADDRESS=0.0.0.0:50051 \
    GUNCAMERA_DATA_DIR=/data
USER guncamera
VOLUME /data
EXPOSE 8080 50051
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["python", "-m", "guncamera.host.probe"]
ENTRYPOINT ["guncamera"]
CMD ["serve"]
