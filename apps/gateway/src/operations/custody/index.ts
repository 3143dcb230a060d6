import type { OperationsOf } from "../operation.ts";

export const custodyOperations = {} satisfies OperationsOf<"custody">;
