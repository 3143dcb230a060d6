import {
  issueAuthority,
  issueServerCertificate,
  type IssuedCertificate,
  type CertificateNames,
} from "@gateway/receiver/certificates";

export type TestAuthority = {
  certificate: string;
  issue(options?: {
    names?: CertificateNames;
    validity?: { notBefore: Date; notAfter: Date };
  }): Promise<IssuedCertificate>;
};

const dayMs = 24 * 60 * 60 * 1000;
const localhost = { dns: ["localhost"], ip: ["127.0.0.1"] };

/** An authority of one test, for localhost and example.test. */
export async function createTestAuthority(): Promise<TestAuthority> {
  const validity = { notBefore: new Date(Date.now() - 30 * dayMs), notAfter: new Date(Date.now() + 30 * dayMs) };
  const permitted = { dns: ["localhost", "example.test"], ip: ["127.0.0.0/8"] };
  const authority = await issueAuthority({ commonName: "Test authority", permitted, validity });
  return {
    certificate: authority.certificate,
    issue: (options = {}) => issueServerCertificate({ authority, names: localhost, validity, ...options }),
  };
}
