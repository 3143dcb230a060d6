import { useCall } from "../../parts/call/use-call.ts";
import { Who } from "../../parts/names/who.tsx";
import { IdLink } from "../../parts/shown/id-link.tsx";

export function CausedBy({ requestId }: { requestId: string | null }) {
  const { data } = useCall(
    { operationId: "getRequestLog", path: { requestId: requestId ?? "" } },
    { isWanted: requestId !== null, everyMs: 0 },
  );
  if (requestId === null) {
    return <span>no request: a timer or an external system</span>;
  }
  const request = data?.data;
  return (
    <span>
      <IdLink to="/logs" open={requestId} />
      {request && (
        <>
          {" "}
          {request.method} {request.path.replace(/^\/api\/v1/, "")} {request.status},{" "}
          <Who who={request.caller} hasKind />
        </>
      )}
    </span>
  );
}
