import { Problem } from "@gateway/contract";
import { chainFactIds, presentTransfer, type Transfer } from "@gateway/platform/custody";
import { createHash } from "node:crypto";
import { found, type OperationHandler } from "../operation.ts";

/** Applies the outcome like any other fact, instead of the fact that the simulated network had planned. */
export const simulateTransfer: OperationHandler<"simulateTransfer"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.transferId, accountId: principal.accountId };
  const { outcome } = input.body;
  const named = { accountId: own.accountId, port: "chain" } as const;
  const factId = chainFactIds.outcome(own.id);
  await deps.work.plannedFacts.hold({ ...named, factIds: [factId] });
  const transfer = found("transfer", await deps.custody.transfers.holdSimulated(own));
  const receipt = await deps.work.plannedFacts.tellInstead({
    ...named,
    factId,
    fact: outcome === "completed" ? confirmed(transfer) : dropped(transfer),
  });
  if (receipt !== "applied") {
    throw new Problem(
      "INVALID_STATE",
      `The custody transfer ${own.id} has ended, so its network can report nothing more.`,
    );
  }
  const after = await deps.custody.transfers.get(own);
  return { status: 200, data: presentTransfer(after ?? transfer) };
};

function confirmed({ id: transferId, network, transactionHash, amount: amountMinor }: Transfer) {
  const digest = createHash("sha256").update(transferId).digest("hex");
  const hash = transactionHash ?? (network === "ethereum" ? `0x${digest}` : digest);
  return { type: "confirmed", transferId, transactionHash: hash, amountMinor, confirmations: 12 } as const;
}

function dropped({ id: transferId, transactionHash }: Transfer) {
  return { type: "dropped", transferId, transactionHash } as const;
}
