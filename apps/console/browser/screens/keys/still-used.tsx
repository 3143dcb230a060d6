import type { ItemOf } from "../../data/calls.ts";
import { ScreenLink } from "../../parts/page/address.tsx";
import { Below, Lines } from "../../parts/list/lines.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { Ago, Time } from "../../parts/shown/values.tsx";
import { useCall } from "../../parts/call/use-call.ts";

type ApiKey = ItemOf<"listApiKeys">;
const refusal = "UNAUTHENTICATED";

type Refused = ItemOf<"listRequestLogs">;

/** Keys that are no longer valid but still used. Each of their calls is refused. */
export function StillUsed() {
  const usage = useCall({ operationId: "getUsage", query: { groupBy: "caller,code" } }, { everyMs: 60_000 });
  const { data } = useCall({ operationId: "listApiKeys" }, { isWhole: true });
  const used = (data?.data ?? []).flatMap((key) => {
    const refused = usage.data?.data.series.find(({ group }) => group?.caller === key.id && group.code === refusal);
    return key.status === "active" || refused === undefined ? [] : [{ key, count: refused.count }];
  });
  return used.length === 0 ? (
    <FailedPart of={usage} />
  ) : (
    <section className="needs" aria-label="Who still uses it?">
      <h2>Who still uses it?</h2>
      <ul>
        {used.map(({ key: { id, name, status, revokedAt, expiresAt }, count }) => (
          <li key={id}>
            <ScreenLink to="/keys" open={id}>
              <span>
                <bdi>{name}</bdi>, {status} <Ago at={revokedAt ?? expiresAt} />: {count.toLocaleString("en")} refused{" "}
                {count === 1 ? "call" : "calls"} in 24 h
              </span>
            </ScreenLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function RefusedCalls({ apiKey: { id, revokedAt, expiresAt } }: { apiKey: ApiKey }) {
  const since = revokedAt ?? expiresAt ?? undefined;
  const calls = useCall({
    operationId: "listRequestLogs",
    query: { apiKeyId: id, code: refusal, since, limit: 10 },
  });
  const last = calls.data?.data[0];
  return (
    <Below title="Who still uses it?" label="Refused calls" all={{ to: "/logs", search: { apiKeyId: id } }}>
      {last && <Sender requestId={last.id} />}
      <Lines of={calls} empty="None: no call was refused since.">
        {(one) => <RefusedCall key={one.id} call={one} />}
      </Lines>
    </Below>
  );
}

function RefusedCall({ call: { id, startedAt, method, path, status, code, repeats } }: { call: Refused }) {
  return (
    <li>
      <ScreenLink to="/logs" open={id}>
        <code>
          {method} {path.replace(/^\/api\/v1/, "")}
        </code>
      </ScreenLink>
      <span className="faint">
        <Time at={startedAt} seconds /> {repeats > 0 && `· and ${repeats} alike`}
      </span>
      <span>
        {status} {code}
      </span>
    </li>
  );
}

/** The user agent of the last refused call, from the log. The log does not keep the client address. */
function Sender({ requestId }: { requestId: string }) {
  const { data } = useCall({ operationId: "getRequestLog", path: { requestId } }, { everyMs: 0 });
  return data === undefined ? null : (
    <p>
      The last one calls itself{" "}
      {data.data.userAgent === null ? "nothing" : <bdi className="break">{data.data.userAgent}</bdi>}.
    </p>
  );
}
