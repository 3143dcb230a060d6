export type MachineName =
  | "Wallet"
  | "KycVerification"
  | "Payment"
  | "CustodyDeposit"
  | "CustodyTransfer"
  | "CustodyApproval"
  | "Order";

export type DrawnMachine = {
  readonly states: readonly string[];
  readonly final: readonly string[];
  readonly transitions: readonly {
    readonly name: string;
    /** Null for a transition that creates the object. */
    readonly from: readonly string[] | null;
    readonly to: string;
    readonly by: readonly string[];
    /** The causes of the transition, in words: `with “Cancel a payment”`, `after 24 hours`. */
    readonly cause: string;
  }[];
};
