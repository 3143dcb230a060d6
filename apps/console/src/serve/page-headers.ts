import { randomBytes } from "node:crypto";

/** What stands in the built page where the nonce of an answer belongs. */
export const noncePlaceholder = "__CSP_NONCE__";

export function createNonce(): string {
  return randomBytes(18).toString("base64url");
}

/** Only what this origin serves runs, styles or is asked, and no string becomes markup or script (Trusted Types). */
export function pageHeaders(nonce: string): Record<string, string> {
  const policy = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": `'self' 'nonce-${nonce}'`,
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "trusted-types": "'none'",
    "require-trusted-types-for": "'script'",
  };
  return {
    "Content-Security-Policy": Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join("; "),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "X-Frame-Options": "DENY",
  };
}

export const headersOfAll: Readonly<Record<string, string>> = {
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
