import { callOfLogged, type LoggedRequest } from "../../data/logged-call.ts";
import { operations } from "../../data/operations.ts";
import { CodeOf } from "../../parts/shown/as-code.tsx";
import { useOperationForm } from "../../parts/call/use-operation-form.ts";

/** The request as curl and TypeScript. What was not kept is the document's, and said to be. */
export function RequestAsCode({ request }: { request: LoggedRequest }) {
  const { form } = useOperationForm(request.operationId);
  const call = form ? callOfLogged(request, operations, form.body?.examples[0]?.value) : null;
  if (call === null) {
    return null;
  }
  const isCut = `${request.path}${decodeURIComponent(request.query ?? "")}`.includes("…");
  return (
    <section aria-label="The request as code">
      <h3>The same request</h3>
      <p className="faint code-note">
        {call.body !== undefined && "Bodies are not kept: this one is the example of the documentation. "}
        {isCut && "A value shown as … was not kept. "}
        {request.idempotencyReplayed && "With the same Idempotency-Key it does nothing. "}
      </p>
      <CodeOf call={call} />
    </section>
  );
}
