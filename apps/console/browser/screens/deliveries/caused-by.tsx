import { ScreenLink } from "../../parts/page/screen-link.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { NameLink, nounOf } from "../../parts/names/names.tsx";

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
      <ScreenLink to="/logs" open={requestId} className="id-link">
        <code>{requestId}</code>
      </ScreenLink>
      {request && (
        <>
          {" "}
          {request.method} {request.path.replace(/^\/api\/v1/, "")} {request.status}, <Caller {...request.caller} />
        </>
      )}
    </span>
  );
}

function Caller({ kind, id }: { kind: string; id: string }) {
  const noun = nounOf(id);
  return (
    <>
      {kind === "apiKey" ? "key" : kind} {noun === null ? <code>{id}</code> : <NameLink noun={noun} id={id} />}
    </>
  );
}
