import type { Outgoing } from "./transport/send.ts";

/** Method and path of an operation, and its parameters in addition to the ids in its path. */
export type ResourceCall = readonly [method: Outgoing["method"], path: string, takes?: "body" | "query" | "list"];

/** Methods by noun; those of the sandbox are in a table of their own. */
export type ResourceTable = { readonly [name: string]: ResourceCall | ResourceTable };
