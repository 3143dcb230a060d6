import authDocument from "./generated/auth.json" with { type: "json" };
import document from "./generated/openapi.json" with { type: "json" };

/** The bundled document, as far as its readers look into it. References point into `components`. */
export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
};

/** A fresh copy of the bundled document: validators and renderers change the object that they are given. */
export function openapi(): OpenApiDocument {
  return structuredClone(document);
}

/** The same of the identity provider, whose shapes are those of OAuth and OpenID Connect. */
export function authOpenapi(): OpenApiDocument {
  return structuredClone(authDocument);
}
