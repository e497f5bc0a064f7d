"""The transports: gRPC and REST over one object with a method for every call.

Routes, handlers and the OpenAPI document are read off the service descriptors. This is the only
package that knows status codes and the generated types.
"""
