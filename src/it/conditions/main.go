// Measures with Kubernetes' own code what match conditions cost for a pod:
//
//	go run ./conditions < conditions-and-pods.json
//
// Reads {"conditions": [{"name", "expression"}], "pods": [...]} and prints one line for each pod: whether the webhook is
// called, skipped, or fails, the cost of all conditions together (the API server gives them 2,500,000), that of the
// dearest one (1,000,000), and the error if there is one.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	plugin "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	limits "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
)

type input struct {
	Conditions []admissionregistrationv1.MatchCondition `json:"conditions"`
	Pods       []v1.Pod                                 `json:"pods"`
}

func main() {
	var given input
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for i := range given.Pods {
		// As the API server does before it asks a webhook: requests that are missing become the limits, among others.
		corev1.SetObjectDefaults_Pod(&given.Pods[i])
		measure(given.Conditions, &given.Pods[i])
	}
}

func measure(conditions []admissionregistrationv1.MatchCondition, pod *v1.Pod) {
	outcome, total, dearest := "called", int64(0), int64(0)
	var problem error
	for _, condition := range conditions {
		holds, cost, err := evaluate(condition, pod)
		total += cost
		dearest = max(dearest, cost)
		if err != nil {
			problem = err
		} else if !holds {
			outcome = "skipped"
		}
	}
	if problem != nil && outcome == "called" {
		outcome = "failed"
	}
	fmt.Printf("%s\t%d\t%d\t%v\n", outcome, total, dearest, problem)
}

// The budget is what is left of it afterwards that tells the cost; an expression that fails has spent its own limit.
func evaluate(condition admissionregistrationv1.MatchCondition, pod *v1.Pod) (bool, int64, error) {
	compiler := plugin.NewConditionCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	expression := matchconditions.MatchCondition(condition)
	compiled := compiler.CompileCondition([]plugin.ExpressionAccessor{&expression},
		plugin.OptionalVariableDeclarations{HasAuthorizer: false}, environment.StoredExpressions)
	results, left, err := compiled.ForInput(context.Background(), attributes(pod), request(),
		plugin.OptionalVariableBindings{}, nil, limits.RuntimeCELCostBudgetMatchConditions)
	if err == nil && results[0].Error != nil {
		err = results[0].Error
	}
	if err != nil {
		return false, limits.PerCallLimit, err
	}
	return results[0].EvalResult.Value() == true, limits.RuntimeCELCostBudgetMatchConditions - left, nil
}

func attributes(pod *v1.Pod) *admission.VersionedAttributes {
	kind := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	resource := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	var object runtime.Object = pod
	plain := admission.NewAttributesRecord(object, nil, kind, pod.Namespace, pod.Name, resource, "", admission.Create,
		nil, false, &user.DefaultInfo{Name: "author"})
	return &admission.VersionedAttributes{Attributes: plain, VersionedObject: object, VersionedKind: kind}
}

func request() *admissionv1.AdmissionRequest {
	request := &admissionv1.AdmissionRequest{}
	request.UserInfo.Username = "system:node:worker"
	request.UserInfo.Groups = []string{"system:nodes", "system:authenticated"}
	return request
}
