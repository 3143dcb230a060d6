import type { RequestHandler } from "express";

/**
 * Every address that we write comes from the host and the protocol of the request, in the library at least. So these
 * are made our own here, whatever a client or a proxy said: discovery, redirects, links and cookies know one issuer.
 * The client's address is another matter: Express takes `X-Forwarded-For` from trusted proxies only.
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
