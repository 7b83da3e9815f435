package model

// Budgets are the most tokens that the texts of the three configurations may
// have.
type Budgets struct {
	A int `yaml:"A" json:"A"`
	B int `yaml:"B" json:"B"`
	C int `yaml:"C" json:"C"`
}
