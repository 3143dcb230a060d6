import { Link } from "@tanstack/react-router";
import { useWhyNot } from "../../parts/session-context.tsx";
import { useCall } from "../../parts/use-call.ts";
import { IdLink } from "../../parts/who.tsx";

/** The request that led to it, with one press; and who made it. */
export function CausedBy({ requestId }: { requestId: string | null }) {
  const { data } = useCall(
    { operationId: "getRequestLog", path: { requestId: requestId ?? "" } },
    { isWanted: requestId !== null, everyMs: 0 },
  );
  if (requestId === null) {
    return <span>no request: time did, or the outside</span>;
  }
  const request = data?.data;
  return (
    <span>
      <Link to={"/logs" as never} search={{ open: requestId } as never} className="id-link">
        <code>{requestId}</code>
      </Link>
      {request && (
        <>
          {" "}
          {request.method} {request.path.replace(/^\/api\/v1/, "")} {request.status}, <Caller {...request.caller} />
        </>
      )}
    </span>
  );
}

const places: Readonly<Record<string, string>> = { apiKey: "/keys", person: "/people", application: "/applications" };

function Caller({ kind, id }: { kind: string; id: string }) {
  // Names of keys are for owners: others see which one it was.
  const isNamed = useWhyNot("getApiKey") === null && kind === "apiKey";
  const { data } = useCall({ operationId: "getApiKey", path: { apiKeyId: id } }, { isWanted: isNamed, everyMs: 0 });
  const name = data?.data.name;
  return (
    <>
      {kind === "apiKey" ? "key" : kind}{" "}
      {name === undefined ? (
        <IdLink to={places[kind] ?? "/keys"} id={id} />
      ) : (
        <Link to="/keys" search={{ open: id } as never}>
          <bdi>{name}</bdi>
        </Link>
      )}
    </>
  );
}
