import { fileURLToPath } from "node:url";
import { bundleDocuments } from "../../src/bundle-documents.ts";
import type { JsonObject } from "../../src/compare/json.ts";

/** The gateway's document as it is in this repository, in one piece. */
export async function bundleOwnDocument(): Promise<JsonObject> {
  const documents = await bundleDocuments(fileURLToPath(new URL("../../../../openapi", import.meta.url)), "this test");
  const own = documents["openapi.yaml"];
  if (!own) {
    throw new Error("There is no openapi.yaml.");
  }
  return own;
}
