import { ScreenLink } from "../../parts/page/address.tsx";
import { CodeBlock, JsonView } from "../../parts/shown/code-block.tsx";
import { Facts } from "../../parts/shown/values.tsx";
import { Failure } from "../../parts/shown/states.tsx";
import type { Fault } from "./field-frame.tsx";
import type { TryAnswer } from "./try-call.ts";

/** The response as received. `unplaced`: faults that are not shown next to a field. */
export function AnswerView({ answer, unplaced }: { answer: TryAnswer; unplaced: readonly Fault[] }) {
  const { status, headers, text, durationMs, error } = answer;
  const requestId = headers.find(([name]) => name === "x-request-id")?.[1];
  return (
    <section className="try-answer" aria-label="Answer">
      <h2>
        Answer{" "}
        <span className={`badge ${toneOf(status)}`} data-status={status ?? "none"}>
          {status ?? "none"}
        </span>{" "}
        <small className="faint">{Math.round(durationMs)} ms</small>
      </h2>
      {error !== null && <Failure error={error} />}
      {unplaced.length > 0 && (
        <ul className="plain-list">
          {unplaced.map(({ field, issue }) => (
            <li key={`${field} ${issue}`}>
              <code>{field}</code> {issue}
            </li>
          ))}
        </ul>
      )}
      {requestId !== undefined && (
        <p className="try-log">
          <ScreenLink to="/logs" open={requestId}>
            Open it in the request log
          </ScreenLink>{" "}
          <span className="faint">It is there within a second.</span>
        </p>
      )}
      {headers.length > 0 && (
        <Facts
          rows={headers.map(([name, value]) => [
            name,
            <code key={name} className="break">
              {value}
            </code>,
          ])}
        />
      )}
      {text !== "" && <Body text={text} />}
    </section>
  );
}

function toneOf(status: number | null): string {
  return status !== null && status < 400 ? "good" : "bad";
}

/** A body that is not JSON is shown as plain text. */
function Body({ text }: { text: string }) {
  try {
    return <JsonView value={JSON.parse(text)} label="Body" />;
  } catch {
    return <CodeBlock text={text} label="Body" bar="Body" />;
  }
}
