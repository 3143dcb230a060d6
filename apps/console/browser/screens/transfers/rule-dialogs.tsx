import { MoneyError, parseMoney } from "gateway-api-client";
import type { Call } from "../../data/calls.ts";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { decimalOf } from "../../data/amount.ts";
import { choicesOf, plainChoices, select, type Field, type Values } from "../../parts/fields/field-input.tsx";
import { FreshSignIn } from "../../parts/dialog/actions.tsx";
import { describeRule, type Rule } from "./describe-rule.ts";

type Options = { rules: readonly Rule[]; onClose(): void };

const done = "The rules are set, and apply in 24 hours. All owners are notified.";

export function RuleDialog({ rules, changed, onClose }: Options & { changed?: Rule }) {
  const place = changed ? rules.indexOf(changed) : rules.length;
  const others = rules.filter((rule) => rule !== changed);
  return (
    <ActionDialog<"replaceTransferPolicy">
      title={changed ? `Change rule ${place + 1}` : "Add a rule"}
      fields={(values) => fieldsOf(values, others)}
      initial={{ ...valuesOf(changed), place: String(place) }}
      submit={changed ? "Change the rule" : "Add the rule"}
      callOf={(values) => callOf(others.toSpliced(Number(values["place"]), 0, ruleOf(values)))}
      done={done}
      onClose={onClose}
    >
      <Delay />
    </ActionDialog>
  );
}

export function RemoveRule({ rules, removed, onClose }: Options & { removed: Rule }) {
  return (
    <ActionDialog<"replaceTransferPolicy">
      title={`Remove rule ${rules.indexOf(removed) + 1}`}
      submit="Remove the rule"
      isDangerous
      name="remove"
      callOf={() => callOf(rules.filter((rule) => rule !== removed))}
      done={done}
      onClose={onClose}
    >
      {describeRule(removed)}. Transfers that it decided meet the rules after it. <Delay />
    </ActionDialog>
  );
}

function Delay() {
  return (
    <>
      It applies in 24 hours, so that the other owners can see it before.
      <FreshSignIn operationId="replaceTransferPolicy" />
    </>
  );
}

function fieldsOf({ currency = "any", action }: Values, others: readonly Rule[]): Field[] {
  return [
    select("currency", "Transfers of", choicesOf({ any: "any currency", BTC: "BTC", ETH: "ETH", USDC: "USDC" })),
    {
      name: "minimumAmount",
      label: currency === "any" ? "From this number of smallest units" : `From this amount in ${currency}`,
      ...{ kind: "text", placeholder: "0" },
      hint: "All transfers of a currency within 24 hours count together. Empty: any amount.",
    },
    select(
      "destination",
      "To",
      choicesOf({ any: "any address", address_book: "active addresses of the address book" }),
    ),
    select(
      "action",
      "What happens",
      choicesOf({ require_approval: "it needs approvals", allow: "it goes out", block: "it is refused" }),
    ),
    ...(action === "require_approval"
      ? [select("requiredApprovals", "Approvals", plainChoices(["1", "2", "3", "4", "5"]), approvalsHint)]
      : []),
    select("place", "Position", [
      ...others.map((rule, index) => ({ value: String(index), label: `before: ${describeRule(rule)}` })),
      { value: String(others.length), label: "last" },
    ]),
  ];
}

const approvalsHint = "Fewer than the account has owners: the person who creates a transfer does not approve it.";

function valuesOf(rule: Rule | undefined): Values {
  const { currency = "any", minimumAmount = 0, destination = "any", action = "require_approval" } = rule ?? {};
  return {
    currency,
    minimumAmount:
      minimumAmount === 0 ? "" : currency === "any" ? String(minimumAmount) : decimalOf(minimumAmount, currency),
    destination,
    action,
    requiredApprovals: String(rule?.requiredApprovals ?? 1),
  };
}

function ruleOf({ currency, minimumAmount = "", destination, action, requiredApprovals }: Values): Rule {
  // The cast holds because the choices are those of the document.
  const rule = { currency, destination, action } as Pick<Rule, "currency" | "destination" | "action">;
  return {
    ...rule,
    minimumAmount: minimumOf(minimumAmount.trim(), rule.currency),
    requiredApprovals: action === "require_approval" ? Number(requiredApprovals) : null,
  };
}

function minimumOf(text: string, currency: Rule["currency"]): number {
  if (text === "") {
    return 0;
  }
  if (currency === "any") {
    if (!/^\d{1,15}$/.test(text)) {
      throw new Error("Write a whole number of smallest units, or choose a currency.");
    }
    return Number(text);
  }
  try {
    return parseMoney(text, currency);
  } catch (error) {
    throw error instanceof MoneyError ? new Error(error.message) : error;
  }
}

/** All rules, as the operation accepts them. A rule without approvals has no number. */
function callOf(rules: readonly Rule[]): Call<"replaceTransferPolicy"> {
  return {
    operationId: "replaceTransferPolicy",
    body: {
      rules: rules.map(({ requiredApprovals, ...rule }) => ({
        ...rule,
        ...(requiredApprovals !== null && { requiredApprovals }),
      })),
    },
  };
}
