import { presentTransfer } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";

export const createTransfer: OperationHandler<"createTransfer"> = async ({ input, principal, deps }) => {
  const { accountId, credential } = principal;
  const initiatedBy =
    credential.kind === "apiKey"
      ? ({ kind: "apiKey", id: credential.apiKeyId } as const)
      : ({ kind: "person", id: credential.personId } as const);
  const transfer = await deps.custody.transfers.create({ accountId, initiatedBy, ...input.body });
  return { status: 201, data: presentTransfer(transfer) };
};
