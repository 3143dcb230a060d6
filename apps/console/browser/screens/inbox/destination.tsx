import type { DataOf } from "../../data/calls.ts";
import { theLatest } from "../../data/whole-list.ts";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useCall } from "../../parts/call/use-call.ts";

type Options = { transfer: DataOf<"getTransfer">; isWaiting: boolean };

/** The destination of the money, and whether the address book has it: a swapped address is the usual fraud. */
export function Destination({ transfer: { destinationAddress, network }, isWaiting }: Options) {
  const asked = useCall({ operationId: "listAddressBook" }, { isWhole: true });
  const book = asked.data;
  const entry = book?.data.find((one) => one.network === network && one.address === destinationAddress);
  return (
    <>
      <p className="break">
        To <CopyableId id={destinationAddress} /> <span className="faint">on {network}</span>
        {entry && (
          <>
            {" "}
            · <bdi>{entry.name}</bdi> of the address book
            {entry.status === "pending" && (
              <>
                {", known to the rules from "}
                <Time at={entry.activeFrom} /> on
              </>
            )}
          </>
        )}
      </p>
      <FailedPart of={asked} />
      {book !== undefined && entry === undefined && isWaiting && (
        <p className="note" role="note">
          <strong>New address.</strong> It is not {book.meta.hasMore ? `among ${theLatest} of` : "in"} the address book:
          compare it with the one that the receiver gave you in another way.
        </p>
      )}
    </>
  );
}
