import { operations as table } from "virtual:operations";
import type { OperationId, OperationRow } from "./operation-row.ts";

/** Every operation of the document. What the build writes has this shape (src/build/contract-modules.ts). */
export const operations = table as Readonly<Record<OperationId, OperationRow>>;
