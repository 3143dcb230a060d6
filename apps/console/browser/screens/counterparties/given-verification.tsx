import { verificationCaveat } from "../../data/verification-caveat.ts";
import { Badge } from "../../parts/shown/badge.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { IdLink } from "../../parts/shown/id-link.tsx";

/** The verification that a counterparty was given, as it stands now: its name there, and until when it counts. */
export function GivenVerification({ id }: { id: string | null }) {
  const asked = useCall(
    { operationId: "getKycVerification", path: { kycVerificationId: id ?? "" } },
    { isWanted: id !== null },
  );
  if (id === null) {
    return <span>none. Larger payments need one: choose it when you add a counterparty</span>;
  }
  const { reference, status, validUntil } = asked.data?.data ?? {};
  return (
    <>
      <IdLink
        to="/inbox"
        open={id}
        search={{ queue: "kyc", status: "all" }}
        text={reference && <bdi>{reference}</bdi>}
      />{" "}
      {status !== undefined && <Badge state={status} />}
      {validUntil && (
        <span className="faint">
          {" "}
          until <Time at={validUntil} />
        </span>
      )}
      <p className="hint">{verificationCaveat.ofGiven}</p>
      <FailedPart of={asked} />
    </>
  );
}
