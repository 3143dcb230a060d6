/** Refers to the operator, because only the operator can explain a suspension. */
export const suspendedHint = "It is blocked until the operator of this service resumes it. Contact the operator.";
