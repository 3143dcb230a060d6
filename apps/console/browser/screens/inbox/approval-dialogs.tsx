import type { DataOf } from "../../data/calls.ts";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { FreshSignIn } from "../../parts/dialog/fresh-sign-in.tsx";
import { Money } from "../../parts/shown/money.tsx";

type Options = {
  approval: DataOf<"getApproval">;
  transfer: DataOf<"getTransfer"> | undefined;
  what: string | undefined;
  onClose(): void;
};

export function ApprovalDialogs({ approval: { id, amount, currency }, transfer, what, onClose }: Options) {
  return (
    <>
      {what === "approve" && (
        <ActionDialog<"approveApproval">
          title="Approve the transfer"
          fields={[{ name: "comment", label: "Comment", kind: "text", hint: "For the other owners. May stay empty." }]}
          submit="Approve"
          // Nobody approves what goes to an address that they do not see.
          unavailable={transfer === undefined ? "It is not known yet where it goes." : null}
          callOf={({ comment = "" }) => ({
            operationId: "approveApproval",
            path: { approvalId: id },
            body: comment === "" ? {} : { comment },
          })}
          done="You approved it."
          onClose={onClose}
        >
          <Money amount={amount} currency={currency} /> goes to <code>{transfer?.destinationAddress ?? "…"}</code> once
          enough owners agree. It cannot be called back.
          <FreshSignIn operationId="approveApproval" />
        </ActionDialog>
      )}
      {what === "reject" && (
        <ActionDialog<"rejectApproval">
          title="Reject the transfer"
          fields={[{ name: "comment", label: "Comment", kind: "text", hint: "Why. May stay empty." }]}
          submit="Reject"
          isDangerous
          name={id}
          callOf={({ comment = "" }) => ({
            operationId: "rejectApproval",
            path: { approvalId: id },
            body: comment === "" ? {} : { comment },
          })}
          done="You rejected it."
          onClose={onClose}
        >
          One rejection ends it, and what is held for it is available again.
          <FreshSignIn operationId="rejectApproval" />
        </ActionDialog>
      )}
      {what === "simulate" && (
        <ActionDialog<"simulateApproval">
          title="Simulate an owner"
          fields={[
            {
              name: "outcome",
              label: "The owner",
              kind: "radio",
              choices: [
                { value: "approved", label: "approves" },
                { value: "rejected", label: "rejects" },
              ],
            },
          ]}
          initial={{ outcome: "approved" }}
          submit="Simulate"
          callOf={({ outcome }) => ({ operationId: "simulateApproval", path: { approvalId: id }, body: { outcome } })}
          done="A simulated owner has decided."
          onClose={onClose}
        />
      )}
    </>
  );
}
