import { useState } from "react";
import { eventExamples } from "virtual:events";
import type { ItemOf } from "../../data/calls.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { Modal } from "../../parts/dialog/modal.tsx";
import type { Choice } from "../../parts/fields/field-input.tsx";
import { ScreenLink } from "../../parts/page/address.tsx";
import { Badge } from "../../parts/shown/values.tsx";
import { JsonView } from "../../parts/shown/code-block.tsx";
import { Failure } from "../../parts/shown/states.tsx";

type Options = { webhook: ItemOf<"listWebhooks">; types: readonly Choice[]; onClose(): void };

/** Sends a test event, and then shows the receiver's response as it arrives. */
export function SendTest({ webhook: { id, events }, types, onClose }: Options) {
  const [sentId, setSentId] = useState<string | null>(null);
  const [opener] = useState(() => document.activeElement);
  if (sentId !== null) {
    return <TestResult deliveryId={sentId} opener={opener} onClose={onClose} />;
  }
  return (
    <ActionDialog<"sendTestEvent">
      title="Send a test event"
      fields={[{ name: "type", label: "Type", kind: "select", choices: types }]}
      initial={{ type: events[0] ?? types[0]?.value ?? "" }}
      submit="Send"
      preview={({ type = "" }) => <JsonView value={eventExamples[type]} label="What arrives" />}
      callOf={({ type }) => ({ operationId: "sendTestEvent", path: { webhookId: id }, body: { type } })}
      done="The test event is being sent."
      onDone={({ data }) => setSentId(data.id)}
      // The result replaces this dialog, so sending does not close it.
      onClose={(isDone) => !isDone && onClose()}
    >
      It is signed and retried like a real event, and looks like the example.
    </ActionDialog>
  );
}

function TestResult({ deliveryId, opener, onClose }: { deliveryId: string; opener: Element | null; onClose(): void }) {
  const query = useCall({ operationId: "getDelivery", path: { deliveryId } }, { everyMs: 1000 });
  const { data } = query;
  const last = data?.data.attempts.at(-1);
  return (
    <Modal title="The test event" onClose={onClose} returnTo={opener}>
      {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
      <div className="dialog-text" role="status">
        {last === undefined ? (
          "Waiting for the receiver…"
        ) : (
          <>
            <Badge state={last.outcome === "delivered" ? "delivered" : "failed"} />{" "}
            {last.httpStatus ?? last.outcome.replaceAll("_", " ")} after {last.durationMs} ms.{" "}
            {last.outcome === "delivered"
              ? "Your server has it."
              : "It is tried again five times over 15 hours; a receiver that answers 2xx ends that."}
          </>
        )}
      </div>
      {last?.responseStart && (
        <pre className="answer" tabIndex={0} aria-label="What was answered">
          {last.responseStart}
        </pre>
      )}
      <footer className="dialog-footer">
        <ScreenLink className="button" to="/deliveries" open={deliveryId}>
          See the delivery
        </ScreenLink>
        <button type="button" className="button primary" onClick={onClose}>
          Close
        </button>
      </footer>
    </Modal>
  );
}
