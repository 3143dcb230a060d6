import type { ItemOf } from "../../data/calls.ts";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { Badge, CopyableId, Time } from "../../parts/shown/values.tsx";
import { requiredText, choicesOf } from "../../parts/fields/field-input.tsx";
import { FreshSignIn, act, Actions, type Act } from "../../parts/dialog/actions.tsx";
import { Failure } from "../../parts/shown/states.tsx";
import { usePages } from "../../parts/call/use-call.ts";

const call = { operationId: "listAddressBook", query: { limit: 50 } } as const;

export function AddressBook() {
  const list = usePages<"listAddressBook">(call);
  return (
    <section className="block">
      <h2>Address book</h2>
      <p className="faint">
        Rules can treat transfers to these addresses differently. An address counts as known 24 hours after it was
        added.
      </p>
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && list.items.length === 0 && <p className="faint">No address yet.</p>}
      <ul className="lines" aria-label="Address book">
        {list.items.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <Actions
        before={
          list.hasNextPage && (
            <button type="button" className="button" onClick={() => void list.fetchMore()}>
              Load more
            </button>
          )
        }
        of={[addAddress]}
      />
      <AsCode call={call} />
    </section>
  );
}

type AddressEntry = ItemOf<"listAddressBook">;

function Entry({ entry }: { entry: AddressEntry }) {
  const { name, address, network, status, activeFrom } = entry;
  return (
    <li>
      <bdi>{name}</bdi>
      <CopyableId id={address} />
      <span className="faint">
        {network}
        {status === "pending" && (
          <>
            {" "}
            · from <Time at={activeFrom} /> on
          </>
        )}
      </span>
      <Badge state={status} />
      <Actions small of={[deleteAddress(entry)]} />
    </li>
  );
}

const networks = choicesOf({ bitcoin: "Bitcoin", ethereum: "Ethereum" });

const addAddress = act("createAddressBookEntry", {
  ...{ do: "add-address", label: "Add an address" },
  ...{
    title: "Add an address",
    submit: "Add the address",
    done: "The address is in the book. All owners are notified.",
  },
  fields: [
    { name: "name", label: "Name", kind: "text", placeholder: "Cold storage" },
    { name: "network", label: "Network", kind: "select", choices: networks },
    { name: "address", label: "Address", kind: "text", isCode: true, hint: "Its checksum is verified." },
  ],
  initial: { network: "ethereum" },
  bodyOf: ({ name, network, address }) => {
    const fault = "Write a name and the address.";
    return { name: requiredText(name, fault), address: requiredText(address, fault), network };
  },
  text: (
    <>
      Rules know it in 24 hours.
      <FreshSignIn operationId="createAddressBookEntry" />
    </>
  ),
});

const deleteAddress = ({ id, name, address }: AddressEntry): Act =>
  act("deleteAddressBookEntry", {
    ...{ do: `delete-address ${id}`, label: "Delete", id, name },
    ...{ title: "Delete the address", submit: "Delete the address", done: "The address is gone from the book." },
    text: (
      <>
        Rules for the address book know <code>{address}</code> no longer, at once. All owners are notified.
      </>
    ),
  });
