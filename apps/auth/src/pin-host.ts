import type { RequestHandler } from "express";

/**
 * Replaces the host and protocol of the request with our own, because the library builds every address from them.
 * Discovery, redirects, links and cookies then have one issuer. Express itself reads `X-Forwarded-For`, from trusted
 * proxies only.
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
