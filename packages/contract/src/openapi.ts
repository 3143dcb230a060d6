import { closeObjects } from "./close-objects.ts";
import authDocument from "./generated/auth.json" with { type: "json" };
import document from "./generated/openapi.json" with { type: "json" };

/** The parts of the bundled document that its readers use. References point into `components`. */
export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, unknown>>;
  webhooks?: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
};

/**
 * A fresh copy of the published document, because renderers change the object that they receive. Its requests are
 * closed. Its responses and events are open, because readers must accept unknown fields.
 */
export function openapi(): OpenApiDocument {
  return structuredClone(document);
}

/**
 * The document that we enforce: the same as written, with every object closed. A fresh copy, for validators.
 */
export function enforcedOpenapi(): OpenApiDocument {
  return closeObjects(document);
}

/** The document of production: without the paths that only the sandbox has. */
export function withoutSandbox(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).filter(([, item]) => item["x-sandbox"] !== true);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** The identity provider's document, whose shapes are those of OAuth and OpenID Connect. */
export function authOpenapi(): OpenApiDocument {
  return structuredClone(authDocument);
}
