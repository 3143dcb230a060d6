import type { FactRoute, WorkHandlers } from "@gateway/engine/work";
import type { Chain, ChainFact, OutsidePorts, TransferFact } from "@gateway/ports";
import { expireApprovalKind, type Approvals } from "./approval.ts";
import type { Transfers } from "./transfer.ts";
import { submitTransferKind } from "./transfer-end.ts";

/**
 * Fact ids of a simulated chain for the end of a transfer. An outcome that a caller requests replaces the planned one.
 */
export const chainFactIds = { outcome: (transferId: string) => `outcome ${transferId}` };

type Called = { custody: { approvals: Approvals; transfers: Transfers } };

export const transferWork: WorkHandlers<Called> = {
  [expireApprovalKind]: async ({ accountId, subjectId }) => {
    return ({ custody }) => custody.approvals.expire({ id: subjectId, accountId });
  },
  // The submission is committed before the order is sent. From then on the transfer cannot be canceled. A crash sends
  // the order again, and the network recognises it by its id.
  [submitTransferKind]: async ({ accountId, subjectId }, { ports, transaction }) => {
    const order = await transaction(({ custody }) => custody.transfers.beginSubmit({ id: subjectId, accountId }));
    if (order) {
      await submitTo(ports, order);
    }
    return async () => null;
  },
};

/**
 * Everything that follows arrives as facts. A transfer in flight when a deployment loses its port is retried, with an
 * alarm.
 */
async function submitTo({ chain }: OutsidePorts, order: Parameters<Chain["submit"]>[0]): Promise<void> {
  if (!chain) {
    throw new Error(`No network is connected to this deployment that could send ${order.transferId}.`);
  }
  await chain.submit(order);
}

export const transferRoute: FactRoute<{ custody: { transfers: Transfers } }> = {
  subjectOf: (content) => transferFactOf(content).transferId,
  apply: ({ custody }, { accountId, content }) =>
    custody.transfers.applyFact({ accountId, fact: transferFactOf(content) }),
};

function transferFactOf(content: object): TransferFact {
  // Adapters report facts with the types of their port.
  const fact = content as ChainFact;
  if (!("transferId" in fact)) {
    throw new Error("No handler accepts the deposits that a chain reports.");
  }
  return fact;
}
