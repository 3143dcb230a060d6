import type { components } from "./generated/types.ts";

/** The document's schemas by name: `Schemas["Wallet"]`. */
export type Schemas = components["schemas"];
