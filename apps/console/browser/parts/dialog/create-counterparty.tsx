import type { DataOf } from "../../data/calls.ts";
import { accountNumberHints, writtenAccountNumber, verificationCaveat } from "../../data/counterparties.ts";
import { ActionDialog } from "./action-dialog.tsx";
import { externalIdField, plainChoices, type Choice, type Field } from "../fields/field-input.tsx";
import { useCall } from "../call/use-call.ts";
import { formatTime } from "../shown/values.tsx";

type Counterparty = DataOf<"createCounterparty">;

type Options = {
  currency?: Counterparty["currency"];
  returnTo?: Element | null;
  onDone(counterparty: Counterparty): void;
  onClose(isDone: boolean): void;
};

/** Adds a receiver of payments, from the list of counterparties and while a payment is created. */
export function CreateCounterparty({ currency: first = "EUR", returnTo = null, onDone, onClose }: Options) {
  const verifications = useCall(
    { operationId: "listKycVerifications", query: { status: "verified" } },
    { isChoice: true, isWhole: true },
  );
  const valid = (verifications.data?.data ?? []).flatMap(({ id, reference, validUntil }) =>
    validUntil === null || Date.parse(validUntil) <= Date.now()
      ? []
      : [{ value: id, label: `${reference ?? id} · valid until ${formatTime(new Date(validUntil), "utc", false)}` }],
  );
  return (
    <ActionDialog<"createCounterparty">
      title="Add a counterparty"
      choices={[verifications]}
      fields={({ currency = first }) => fieldsOf(currency, valid)}
      initial={{ currency: first }}
      submit="Add counterparty"
      callOf={({ name = "", currency, accountNumber = "", kycVerificationId = "", externalId = "" }) => {
        if (name.trim() === "" || accountNumber.trim() === "") {
          throw new Error("Write a name and the account number.");
        }
        return {
          operationId: "createCounterparty",
          body: {
            ...{ name: name.trim(), currency, accountNumber: writtenAccountNumber(accountNumber) },
            ...(kycVerificationId !== "" && { kycVerificationId }),
            ...(externalId !== "" && { externalId }),
          },
        };
      }}
      done="The counterparty is created."
      returnTo={returnTo}
      onDone={({ data }) => onDone(data)}
      onClose={onClose}
    />
  );
}

function fieldsOf(currency: string, valid: readonly Choice[]): readonly Field[] {
  const hints: Readonly<Record<string, string>> = accountNumberHints;
  return [
    { name: "name", label: "Name", kind: "text", placeholder: "Grace Hopper", hint: "As their bank knows them." },
    { name: "currency", label: "Currency", kind: "select", choices: plainChoices(Object.keys(hints)) },
    { name: "accountNumber", label: "Account number", kind: "text", isCode: true, hint: hints[currency] },
    {
      ...{ name: "kycVerificationId", label: "Verification", kind: "select" },
      choices: [{ value: "", label: valid.length === 0 ? "None: no person is verified" : "None" }, ...valid],
      hint: `Larger payments need one. ${verificationCaveat.ofChoice}`,
    },
    externalIdField,
  ];
}
