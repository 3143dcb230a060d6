import type { DataOf } from "../../data/calls.ts";
import { whyNotIn } from "../../data/state-machines.ts";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { act, simulate, type Act, FreshSignIn } from "../../parts/dialog/actions.tsx";
import { choicesOf, type Field, type Values } from "../../parts/fields/field-input.tsx";
import { Money } from "../../parts/shown/values.tsx";

type Approval = DataOf<"getApproval">;
type Options = {
  transfer: DataOf<"getTransfer"> | undefined;
  /** The reasons why it cannot be decided, and why it cannot be approved. Null when it can. */
  unavailable: string | null;
  unapprovable: string | null;
};

const comment = { name: "comment", label: "Comment", kind: "text" } as const satisfies Field;
const bodyOf = ({ comment: said = "" }: Values) => (said === "" ? {} : { comment: said });

export function actsOfApproval(
  { id, amount, currency, status }: Approval,
  { transfer, unavailable, unapprovable }: Options,
): readonly Act[] {
  return [
    {
      ...{
        do: "approve",
        label: "Approve",
        operationId: "approveApproval",
        kind: "primary",
        unavailable: unapprovable,
      },
      dialog: (close) => (
        <ActionDialog<"approveApproval">
          title="Approve the transfer"
          fields={[{ ...comment, hint: "For the other owners. Optional." }]}
          submit="Approve"
          // An owner has to see the address before they approve.
          unavailable={transfer === undefined ? "It is not known yet where it goes." : null}
          callOf={(values) => ({ operationId: "approveApproval", path: { approvalId: id }, body: bodyOf(values) })}
          done="You approved it."
          onClose={close}
        >
          <Money amount={amount} currency={currency} /> goes to <code>{transfer?.destinationAddress ?? "…"}</code> once
          enough owners agree. It cannot be reversed.
          <FreshSignIn operationId="approveApproval" />
        </ActionDialog>
      ),
    },
    act("rejectApproval", {
      ...{ do: "reject", label: "Reject", kind: "danger", id, name: id, unavailable },
      ...{ title: "Reject the transfer", submit: "Reject", done: "You rejected it." },
      fields: [{ ...comment, hint: "Why. May stay empty." }],
      bodyOf,
      text: (
        <>
          One rejection ends it, and what is held for it is available again.
          <FreshSignIn operationId="rejectApproval" />
        </>
      ),
    }),
    simulate("simulateApproval", {
      ...{ label: "Simulate an owner", id, unavailable: whyNotIn("CustodyApproval", status, "approve") },
      ...{ asks: "The owner", outcomes: choicesOf({ approved: "approves", rejected: "rejects" }) },
      done: "A simulated owner has decided.",
    }),
  ];
}
