import { useParams } from "@tanstack/react-router";
import { isOperationId, operations, type OperationId, type OperationRow } from "../../data/calls.ts";
import { ScreenLink, TryLink, useUrlState } from "../../parts/page/address.tsx";
import { ScreenHeader } from "../../parts/shown/screen-header.tsx";
import { useSession, useWhyNot } from "../../parts/page/session-context.tsx";
import { Empty, Failure, LoadingRows } from "../../parts/shown/states.tsx";
import { useOperationForm } from "../../parts/call/use-operation-form.ts";
import { About } from "./field-frame.tsx";
import { OperationFormView } from "./operation-form.tsx";
import "./try.css";

// The table has these and no others.
const rows = Object.entries(operations) as [OperationId, OperationRow][];

export function TryIndexScreen() {
  const { environment } = useSession();
  const [{ q = "" }, setState] = useUrlState();
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(
    ([operationId, { method, path, summary, sandboxOnly }]) =>
      !(sandboxOnly && environment === "production") &&
      words.every((word) => `${operationId} ${method} ${path} ${summary}`.toLowerCase().includes(word)),
  );
  return (
    <div className="plain-screen">
      <ScreenHeader
        title="Try it"
        about="Any operation of the API, filled in with the example of its documentation and sent as you."
      />
      <div className="filters">
        <input
          className="input filter try-search"
          type="search"
          aria-label="Search operations"
          placeholder="createPayment, /wallets, a word"
          value={q}
          onChange={({ target }) => setState({ q: target.value || undefined }, { replace: true })}
        />
      </div>
      {[...Map.groupBy(found, ([, { service }]) => service)].map(([service, ofService]) => (
        <section key={service} className="try-service">
          <h2>{service.replaceAll("-", " ")}</h2>
          <ul className="plain-list">
            {ofService.map(([operationId, row]) => (
              <li key={operationId}>
                <TryLink operationId={operationId}>{row.summary}</TryLink>{" "}
                <code className="faint">
                  {row.method.toUpperCase()} {row.path}
                </code>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {found.length === 0 && <p className="nothing">No operation is called that.</p>}
    </div>
  );
}

export function TryScreen() {
  // The route of this screen has the parameter, and values of parameters are text.
  const { operationId = "" } = useParams({ strict: false }) as { operationId?: string };
  return isOperationId(operationId) ? (
    <OperationPage key={operationId} operationId={operationId} />
  ) : (
    <div className="plain-screen">
      <Empty
        title="There is no such operation"
        action={
          <ScreenLink to="/try" className="button">
            All operations
          </ScreenLink>
        }
      >
        The document has none of this name.
      </Empty>
    </div>
  );
}

function OperationPage({ operationId }: { operationId: OperationId }) {
  const row = operations[operationId];
  const { addresses } = useSession();
  const whyNot = useWhyNot(operationId);
  const { summary, freshSignInSeconds, personRequired, permission } = row;
  const { form, ...forms } = useOperationForm(operationId);
  return (
    <div className="plain-screen try-screen">
      <ScreenHeader
        title={summary}
        about={
          <>
            <code className="break">
              {row.method.toUpperCase()} {row.path}
            </code>
            {form && (
              <span className="try-about">
                <About text={form.about} />
              </span>
            )}
          </>
        }
        actions={
          <>
            <ScreenLink to="/try" className="button small">
              All operations
            </ScreenLink>
            {addresses.docs !== null && form && (
              <a className="button small" href={addresses.docs + form.reference}>
                Reference
              </a>
            )}
          </>
        }
      />
      {whyNot !== null && <p className="note">{whyNot}</p>}
      {personRequired && (
        <p className="note">
          For people, not for keys
          {freshSignInSeconds === null ? "." : `, who signed in within ${freshSignInSeconds / 60} minutes.`}
        </p>
      )}
      {forms.isError && <Failure error={forms.error} retry={() => void forms.refetch()} />}
      {forms.isPending && <LoadingRows count={4} />}
      {form && <OperationFormView operationId={operationId} row={row} form={form} key={permission} />}
    </div>
  );
}
