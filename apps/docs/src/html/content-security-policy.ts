const strict = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "base-uri": "'self'",
  "form-action": "'none'",
};

/**
 * Redocly's page writes its styles at run time, a font of icons among them, and searches in a worker that it makes of a blob. Its
 * scripts are files like ours: nothing inline runs anywhere on the site.
 */
const ofReference = {
  ...strict,
  "style-src": "'self' 'unsafe-inline'",
  "font-src": "'self' data:",
  "worker-src": "blob:",
};

/** As a page carries it itself, so that it holds on any static server. */
export function contentSecurityPolicy(kind: "page" | "reference"): string {
  return Object.entries(kind === "reference" ? ofReference : strict)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");
}
