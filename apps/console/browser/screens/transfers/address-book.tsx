import type { ItemOf } from "../../data/calls.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { choicesOf } from "../../parts/fields/field-input.tsx";
import { FreshSignIn } from "../../parts/dialog/fresh-sign-in.tsx";
import { Failure } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { usePages } from "../../parts/call/use-call.ts";
import { useDo } from "../../parts/page/use-do.ts";
import { useUrlState } from "../../parts/page/use-url-state.ts";

const call = { operationId: "listAddressBook", query: { limit: 50 } } as const;

export function AddressBook() {
  const [what, setWhat] = useDo();
  const [{ address: chosenId }, setState] = useUrlState();
  const list = usePages<"listAddressBook">(call);
  const chosen = list.items.find(({ id }) => id === chosenId);
  const close = (): void => setWhat(undefined);
  return (
    <section className="block">
      <h2>Address book</h2>
      <p className="faint">
        Rules may let transfers to these go otherwise than to others. They know an address 24 hours after it was added.
      </p>
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && list.items.length === 0 && <p className="faint">No address yet.</p>}
      <ul className="lines" aria-label="Address book">
        {list.items.map((entry) => (
          <Entry key={entry.id} entry={entry} remove={() => setState({ do: "delete-address", address: entry.id })} />
        ))}
      </ul>
      <div className="actions">
        {list.hasNextPage && (
          <button type="button" className="button" onClick={() => void list.fetchMore()}>
            Load more
          </button>
        )}
        <ActionButton operationId="createAddressBookEntry" onClick={() => setWhat("add-address")}>
          Add an address
        </ActionButton>
      </div>
      <AsCode call={call} />
      {what === "add-address" && <AddAddress onClose={close} />}
      {what === "delete-address" && chosen && <DeleteAddress entry={chosen} onClose={close} />}
    </section>
  );
}

type AddressEntry = ItemOf<"listAddressBook">;

function Entry({ entry, remove }: { entry: AddressEntry; remove(): void }) {
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
      <ActionButton operationId="deleteAddressBookEntry" small onClick={remove}>
        Delete
      </ActionButton>
    </li>
  );
}

const networks = choicesOf({ bitcoin: "Bitcoin", ethereum: "Ethereum" });

function AddAddress({ onClose }: { onClose(): void }) {
  return (
    <ActionDialog<"createAddressBookEntry">
      title="Add an address"
      fields={[
        { name: "name", label: "Name", kind: "text", placeholder: "Cold storage" },
        { name: "network", label: "Network", kind: "select", choices: networks },
        { name: "address", label: "Address", kind: "text", isCode: true, hint: "Its checksum is verified." },
      ]}
      initial={{ network: "ethereum" }}
      submit="Add the address"
      callOf={({ name = "", network, address = "" }) => {
        if (name.trim() === "" || address.trim() === "") {
          throw new Error("Write a name and the address.");
        }
        return {
          operationId: "createAddressBookEntry",
          body: { name: name.trim(), address: address.trim(), network },
        };
      }}
      done="The address is in the book. All owners are notified."
      onClose={onClose}
    >
      Rules know it in 24 hours.
      <FreshSignIn operationId="createAddressBookEntry" />
    </ActionDialog>
  );
}

function DeleteAddress({ entry: { id, name, address }, onClose }: { entry: AddressEntry; onClose(): void }) {
  return (
    <ActionDialog<"deleteAddressBookEntry">
      title="Delete the address"
      submit="Delete the address"
      isDangerous
      name={name}
      callOf={() => ({ operationId: "deleteAddressBookEntry", path: { addressBookEntryId: id } })}
      done="The address is gone from the book."
      onClose={onClose}
    >
      Rules for the address book know <code>{address}</code> no longer, at once. All owners are notified.
    </ActionDialog>
  );
}
