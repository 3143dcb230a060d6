import { useCall } from "../call/use-call.ts";

/** The book changes seldom, and all owners are notified of a change, so a response serves for a minute. */
const freshMs = 60_000;

type Destination = { destinationAddress: string; network: string };

/** An address within a row: its name in the address book, or its two ends. */
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
