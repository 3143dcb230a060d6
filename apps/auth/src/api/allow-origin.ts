import type { OauthApplications } from "@gateway/platform/accounts";
import type { RequestHandler } from "express";

export type AllowOriginDeps = { applications: Pick<OauthApplications, "hasOrigin"> };

const maxAgeSeconds = 600;
const exposed =
  "WWW-Authenticate, X-Request-Id, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";

/** Allows the pages of applications (CORS), and hides the origin from the library, which would allow all origins. */
export function allowOrigin({ applications }: AllowOriginDeps): RequestHandler {
  return async (req, res, next) => {
    const { origin } = req.headers;
    res.vary("Origin");
    res.setHeader("Access-Control-Expose-Headers", exposed);
    const isAllowed = origin !== undefined && isOrigin(origin) && (await applications.hasOrigin(origin));
    if (isAllowed) {
      res.setHeader("Access-Control-Allow-Origin", origin);
    } else {
      delete req.headers.origin;
    }
    if (req.method !== "OPTIONS") {
      next();
      return;
    }
    if (isAllowed) {
      res.setHeader("Access-Control-Allow-Methods", "GET, POST");
      res.setHeader("Access-Control-Allow-Headers", "Authorization, Content-Type");
      res.setHeader("Access-Control-Max-Age", String(maxAgeSeconds));
    }
    res.status(204).end();
  };
}

/** Accepts an origin in the form that browsers send. `null` and strings that Postgres cannot store are refused. */
function isOrigin(text: string): boolean {
  return text.length <= 300 && URL.canParse(text) && new URL(text).origin === text;
}
