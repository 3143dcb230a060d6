import type { RequestHandler } from "express";

/**
 * Replaces host and protocol of the request by our own, because the library makes every address from them: discovery,
 * redirects, links and cookies know one issuer. `X-Forwarded-For` is Express's, from trusted proxies only.
 */
export function pinHost({ authUrl }: { authUrl: string }): RequestHandler {
  const { host, protocol } = new URL(authUrl);
  return (req, _res, next) => {
    req.headers.host = host;
    req.headers["x-forwarded-proto"] = protocol.slice(0, -1);
    for (const name of ["x-forwarded-host", "x-forwarded-port", "x-forwarded-prefix", "forwarded"]) {
      delete req.headers[name];
    }
    next();
  };
}
