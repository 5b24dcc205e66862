import type { Clock } from "../../apimachinery/clock.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { CertificateAuthority } from "../../authentication/contract/certificate-authority.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";
import { nameOfPut, onDemand } from "../contract/on-demand.ts";

const kinds = ["CertificateSigningRequest"];

/** The controllers that approve, sign and delete requests for certificates. */
export function certificateControllers(
  lister: Lister,
  client: ControllerClient,
  clock: Clock,
  authority: CertificateAuthority,
): readonly Controller[] {
  return [
    onDemand(
      { name: "certificatesigningrequest-approving-controller", kinds, observe: nameOfPut },
      async () => (await import("./certificate-approving.ts")).certificateApproving(lister, client),
    ),
    onDemand(
      { name: "certificatesigningrequest-signing-controller", kinds, observe: nameOfPut },
      async () => {
        const { certificateSigning } = await import("./certificate-signing.ts");
        return certificateSigning(lister, client, clock, authority);
      },
    ),
    onDemand({ name: "certificatesigningrequest-cleaner-controller", kinds, observe: nameOfPut }, async () =>
      (await import("./certificate-cleaner.ts")).certificateCleaner(lister, client, clock),
    ),
  ];
}
