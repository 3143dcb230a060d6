import { randomBytes } from "node:crypto";
import type { Response } from "express";

/** The placeholder in the built page for the nonce of a response. */
export const noncePlaceholder = "__CSP_NONCE__";

export function createNonce(): string {
  return randomBytes(18).toString("base64url");
}

/** Scripts, styles and requests may only use this origin. A string never becomes markup or script (Trusted Types). */
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

/** Sends a document that is never cached, because it has a nonce or was made for one request. */
export function sendDocument(res: Response, status: number, document: string): void {
  res.status(status).set({ "Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8" });
  res.end(document);
}
