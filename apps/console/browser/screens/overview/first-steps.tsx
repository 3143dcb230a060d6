import type { ReactNode } from "react";
import type { Destination } from "../../parts/page/destination.ts";
import { ScreenLink } from "../../parts/page/address.tsx";
import { Icon } from "../../parts/shown/icon.tsx";
import { useCall } from "../../parts/call/use-call.ts";

/** A list that ticks itself, and goes when all of it is done. Settled: it is known, or could not be. */
export function useFirstSteps({ isWanted }: { isWanted: boolean }): { isSettled: boolean; shown: ReactNode } {
  const keys = useCall({ operationId: "listApiKeys" }, { isWanted, isWhole: true });
  const webhooks = useCall({ operationId: "listWebhooks", query: { limit: 100 } });
  const delivered = useCall({ operationId: "listDeliveries", query: { status: "delivered", limit: 1 } }, { isWanted });
  const isSettled = !isWanted || [keys, webhooks, delivered].every(({ isFetched }) => isFetched);
  if (!keys.data || !webhooks.data || !delivered.data) {
    return { isSettled, shown: null };
  }
  const steps: readonly Step[] = [
    { label: "Create an API key", to: "/keys", isDone: keys.data.data.length > 0 },
    {
      label: "Call the API with it",
      to: "/keys",
      isDone: keys.data.data.some(({ lastUsedAt }) => lastUsedAt !== null),
    },
    { label: "Add a webhook", to: "/webhooks", isDone: webhooks.data.data.length > 0 },
    { label: "Receive an event", to: "/deliveries", isDone: delivered.data.data.length > 0 },
  ];
  return { isSettled, shown: steps.every(({ isDone }) => isDone) ? null : <Steps steps={steps} /> };
}

type Step = Destination & { label: string; isDone: boolean };

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <section className="steps" aria-label="First steps">
      <h2>First steps</h2>
      <ol>
        {steps.map(({ label, to, isDone }) => (
          <li key={label} data-done={isDone}>
            <Icon name={isDone ? "check" : "circle"} size={15} />
            {isDone ? (
              <span>
                {label} <span className="unseen">is done</span>
              </span>
            ) : (
              <ScreenLink to={to}>{label}</ScreenLink>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
