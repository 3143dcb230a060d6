import { isPlainHost } from "@gateway/platform/accounts";
import type { RequestHandler } from "express";
import type { ServerResponse } from "node:http";

/** The headers of every response. With `no-referrer` browsers would send our own forms with `Origin: null`. */
export function securityHeaders({ isSecure }: { isSecure: boolean }): RequestHandler {
  return (_req, res, next) => {
    res.setHeader("Content-Security-Policy", policy({ formTargets: [], images: [] }));
    res.setHeader("X-Content-Type-Options", "nosniff");
    res.setHeader("X-Frame-Options", "DENY");
    res.setHeader("Referrer-Policy", "same-origin");
    res.setHeader("Cache-Control", "no-store");
    res.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    res.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    res.setHeader(
      "Permissions-Policy",
      "camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)",
    );
    if (isSecure) {
      res.setHeader("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
    }
    next();
  };
}

/**
 * Lets the forms of this page lead to the application, because Chromium checks each redirect against `form-action`.
 * Also lets the page show the application's logo.
 */
export function allowApplication(
  res: Pick<ServerResponse, "setHeader">,
  { redirectUris, logoUri = null }: { redirectUris: readonly string[]; logoUri?: string | null },
): void {
  const images = logoUri === null ? [] : [new URL(logoUri).origin];
  res.setHeader("Content-Security-Policy", policy({ formTargets: redirectUris.map(sourceOf), images }));
}

function policy({ formTargets, images }: { formTargets: readonly string[]; images: readonly string[] }): string {
  const sources = (others: readonly string[]): string => [...new Set(["'self'", ...others])].join(" ");
  return `default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; img-src ${sources(images)}; form-action ${sources(formTargets)}; frame-ancestors 'none'; base-uri 'none'`;
}

/**
 * CSP sources cannot be IPv6 addresses (CSP Level 3, 2.3.1). For those and for unusual hosts, the source is the scheme.
 */
function sourceOf(redirectUri: string): string {
  const { protocol, hostname, origin } = new URL(redirectUri);
  return isPlainHost(hostname) ? origin : protocol;
}
