import { goQuote } from "../../apimachinery/go/go-quote.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import { nodeOf } from "../../authorization/node/node-identity.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { AdmissionPlugin } from "../contract/admission.ts";
import { refused } from "../contract/attributes.ts";

/**
 * Restricts nodes to their own objects and to the pods that run on them. The rules are loaded with the first write of a node.
 * Upstream: plugin/pkg/admission/noderestriction/admission.go.
 */
export function nodeRestriction(lister: Lister, { since }: Pick<FeatureGates, "since">): AdmissionPlugin {
  return {
    name: "NodeRestriction",
    handles: (operation) => operation !== "CONNECT",
    admit: (attributes) => {
      const node = nodeOf(attributes.user);
      if (node === undefined) return;
      if (node === "") {
        throw refused(attributes, `could not determine node from user ${goQuote(attributes.user.name)}`);
      }
      return import("./node-restrictions.ts").then(({ restrictWrite }) =>
        restrictWrite({ node, attributes, lister, since }),
      );
    },
  };
}
