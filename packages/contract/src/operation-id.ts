import type { operations } from "./generated/operations.ts";

/** The name of an operation of the document. */
export type OperationId = keyof typeof operations;
