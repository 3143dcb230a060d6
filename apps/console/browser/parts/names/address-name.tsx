import { useCall } from "../call/use-call.ts";

/** The book changes seldom, and a change is told to all owners: whoever looks a minute later does not ask again. */
const freshMs = 60_000;

type Destination = { destinationAddress: string; network: string };

/** An address within a row: what the address book calls it, or its two ends. */
export function AddressName({ of: { destinationAddress, network } }: { of: Destination }) {
  const book = useCall({ operationId: "listAddressBook" }, { isWhole: true, everyMs: 0, freshMs });
  const entry = book.data?.data.find((one) => one.network === network && one.address === destinationAddress);
  return (
    <span className="name cut" title={destinationAddress}>
      {entry === undefined ? <code>{shortened(destinationAddress)}</code> : <bdi>{entry.name}</bdi>}
    </span>
  );
}

function shortened(address: string): string {
  return address.length > 20 ? `${address.slice(0, 10)}…${address.slice(-8)}` : address;
}
