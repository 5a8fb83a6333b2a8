"""The quasi-static pusher-slider: a square on a plane, pushed by one or two point contacts.

`params` is the front door: `PusherSliderParams` and its methods. Below it stand the limit surface
of one contact (`contact`) and of two (`twocontact`, with `leastnorm`), faces and commands
(`command`), and motion in the plane (`plane`); above it rollouts that track the contact
(`rollout`), whole arrays of pushes (`batch`), scenario files (`scenario`), traces (`record`) and
pictures (`picture`).
"""
